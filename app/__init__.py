"""The browser app: ``streamlit run app/main.py``."""
