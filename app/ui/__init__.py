"""What every page is made of: charts, tables, texts, words and the theme."""
