/** What is said, the same everywhere, while the world is newer than the database and a person is to decide. */

export const REMEDY = 'plumbline releases resume --take database, or --take world'

/** In one sentence, and to whoever may not know which file of the world is ahead. */
export const UNDECIDED = `The world is newer than this database, so nothing is written outside until somebody decides: ${REMEDY}.`
