"""The wheel carries the app, the released models and the results inside the package (see mivspool/places.py)."""

from setuptools import find_packages, setup

DATA = ("app", "models", "results")

setup(
    packages=find_packages(include=["mivspool", "mivspool.*"]) + [f"mivspool._data.{name}" for name in DATA],
    package_dir={f"mivspool._data.{name}": name for name in DATA},
    package_data={
        "mivspool": [
            "py.typed",
            "**/*.pyi",
            "**/templates/*.html",
            "**/*.ini",
            "**/*.mako",
            "canvas/*.css",
            "content/*.css",
            "canvas/js/**/*",
            "site/files/*",
        ],
        **{f"mivspool._data.{name}": ["**/*", ".streamlit/*"] for name in DATA},
    },
    exclude_package_data={"": ["**/__pycache__/*", "*.pyc"]},
)
