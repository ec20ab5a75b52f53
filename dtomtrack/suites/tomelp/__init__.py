"""ToMELP: does knowing the listener's mind change the argument, by the central and by the peripheral route?"""
