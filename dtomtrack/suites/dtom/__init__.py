"""DToM-Track: what somebody held before and after they changed their mind in a conversation."""
