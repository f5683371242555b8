"""Results: the tables, the claims and the runs behind them, in words."""
