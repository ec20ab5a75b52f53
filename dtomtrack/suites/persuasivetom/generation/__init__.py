"""Making new data of the kind of PersuasiveToM: conversations from packs of goals, asked about in all eight types."""
