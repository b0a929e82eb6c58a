"""What every room may use: errors, folders, locks of forks, mapped files."""
