"""Language models as verifiers, behind the rules."""
