"""What every service is built on, and no contract. `README.md` says what each module knows."""
