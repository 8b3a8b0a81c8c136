/**
 * How far the world is: the number of the newest change that our database held when it last wrote outside, the mark of
 * that change, and whose number it is. Two databases that went apart have different changes under one number; the mark
 * tells them apart, so that a change that is committed later can never hide that an older one was lost.
 */
import { sha256 } from '../kernel/digest.ts'

export interface WorldStamp {
  readonly installation_id: string
  /** Of the newest audit entry; 0 before the first. */
  readonly number: number
  /** Of that entry; empty before the first. */
  readonly mark: string
}

/** What the mark is made of: an entry never changes, and no two share a request id and a number. */
export interface MarkedChange {
  readonly id: number
  readonly at: number
  readonly request_id: string
  readonly action: string
}

/** 16 hexadecimal digits. */
export const markOf = ({ id, at, request_id, action }: MarkedChange): string =>
  sha256([JSON.stringify([id, at, request_id, action])]).slice(0, 16)

/** One word each, fit for a comment line. */
export const stampText = (stamp: WorldStamp): string =>
  `installation=${stamp.installation_id} ${changeText(stamp)}`

/** One word: `change=7:0123456789abcdef`. */
export const changeText = ({ number, mark }: Pick<WorldStamp, 'number' | 'mark'>): string =>
  `change=${number}${mark === '' ? '' : `:${mark}`}`

const CHANGE = /^change=(\d{1,15})(?::([0-9a-f]{16}))?(?=\s|$)/

/** What the first word of a text says, as `changeText` writes it; null where it is another word. */
export function readChange(text: string): Pick<WorldStamp, 'number' | 'mark'> | null {
  const [, number, mark = ''] = CHANGE.exec(text) ?? []
  return number === undefined ? null : { number: Number(number), mark }
}

const STAMP = /\binstallation=([A-Za-z0-9-]{1,64}) change=(\d{1,15})(?::([0-9a-f]{16}))?(?=\s|$)/

/** Null where the text has no stamp that can be read. */
export function readStamp(text: string): WorldStamp | null {
  const [, installation_id, number, mark = ''] = STAMP.exec(text) ?? []
  return installation_id === undefined ? null : { installation_id, number: Number(number), mark }
}
