"""What the writers share: weights, values as text, XML and CSV cells."""
