/** By what the running programs show which rendering they have taken. */

/** The annotation of one rule: a rules file is taken as a whole, or not at all. */
export const MARK = 'rendering'

/** What begins the name of a receiver that nothing is sent to. */
export const ROUTER_MARK = 'plumbline-'
