/** Who holds the lock, as a file for people and commands. It proves nothing: the lock does. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Holder } from '../../ports/lock.ts'
import { readFileIfAny, replaceFile } from './durable-file.ts'
import { onStorage } from '../failures.ts'

const holderPath = (directory: string): string => join(directory, 'holder.json')

export const writeHolderFile = (directory: string, holder: Holder): void =>
  replaceFile(holderPath(directory), `${JSON.stringify(holder)}\n`)

export const forgetHolder = (directory: string): void =>
  onStorage(holderPath(directory), () => rmSync(holderPath(directory), { force: true }))

/** Null when there is none, or none that can be understood. */
export function readHolderFile(directory: string): Holder | null {
  const text = readFileIfAny(holderPath(directory))
  if (text === null) return null
  try {
    const { pid, listen, since } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>
    if (typeof pid !== 'number' || typeof since !== 'string') return null
    return { pid, listen: typeof listen === 'string' ? listen : null, since }
  } catch {
    return null
  }
}
