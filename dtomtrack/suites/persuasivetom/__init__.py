"""PersuasiveToM (Yu et al., 2025): what two people in a persuasive conversation want, believe and intend."""
