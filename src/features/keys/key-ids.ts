/**
 * How keys are called: by digits that are drawn once and kept.
 *
 * The attack: the id of the main key was the beginning of its digest, and whoever may look sees ids. A main key that somebody
 * thought up could be looked for on another machine, a billion guesses a second, with nobody to notice.
 */
import { randomBytes } from 'node:crypto'
import { ENDED_MARK } from '../../kernel/issued-secret.ts'
import type { ApiKey } from './files/port.ts'

export const MAIN = 'main'

const ID_BYTES = 8

export const newKeyId = (): string => randomBytes(ID_BYTES).toString('hex')

/** The main key gets another id where it has one that earlier versions made of its digest. */
export const withDrawnId = (key: ApiKey): ApiKey =>
  key.name === MAIN && key.id === earlierId(key) ? { ...key, id: newKeyId() } : key

/** @param id as it is now, or as earlier versions made it */
export const isCalled = (key: ApiKey, id: string): boolean => key.id === id || earlierId(key) === id

/** Of a key that has ended for good, the digest stands behind a mark. */
const earlierId = ({ digest }: ApiKey): string =>
  (digest.startsWith(ENDED_MARK) ? digest.slice(ENDED_MARK.length) : digest).slice(0, 2 * ID_BYTES)
