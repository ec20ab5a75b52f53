"""Scenes of persuasion by two routes (Elaboration Likelihood Model): packs of topics, and states drawn from them."""
