/**
 * What a child has seen, one line of JSON each, before it goes on: acknowledged answers above all. Outside of what is
 * broken: a line outlives the process, and power cuts are only those of the images.
 */
import { openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { State } from './state.ts'

export type Line =
  /** Everything before this is the start of Node. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'reached'; readonly point: string }
  /** A step was answered; in runs without a fault with what the database and the file then held. */
  | { readonly kind: 'acknowledged'; readonly step: string; readonly shown: Shown | null }
  /** A step was refused, and the reason named: the journey stops there. */
  | { readonly kind: 'refused'; readonly step: string; readonly because: string }
  /** The stranger's bytes stand in the file. */
  | { readonly kind: 'hand-edited'; readonly digest: string }
  /** The journey came to its end, past these points. */
  | { readonly kind: 'ended'; readonly points: readonly string[] }

export interface Shown {
  readonly state: State
  /** SHA-256 of the routes file. */
  readonly file: string | null
}

export const BEGUN_MARK = '"begun"'

const pathIn = (folder: string): string => join(folder, 'ledger')

/** Each call returns when its line is in the kernel's hands. */
export function openLedger(folder: string): (line: Line) => void {
  const descriptor = openSync(pathIn(folder), 'a')
  return (line) => void writeSync(descriptor, `${JSON.stringify(line)}\n`)
}

/** In order. Empty when the child died before its first line. */
export function readLedger(folder: string): Line[] {
  const text = readFileSync(pathIn(folder), { encoding: 'utf8', flag: 'a+' })
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
}
