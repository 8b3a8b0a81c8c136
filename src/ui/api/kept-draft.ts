/** What was typed stays in this tab while somebody signs in again, which may load the page anew; secrets are no fields here. */
import { address } from '../address.ts'

const KEPT = 'plumbline.draft:'

/** By the address; to be asked before that is left. */
export const draftKey = (): string => {
  const { path, query } = address.peek()
  const copy = query.get('copy')
  return KEPT + path + (copy === null ? '' : `?copy=${copy}`)
}

/** Null where nothing was kept, or it cannot be read. */
export function keptDraft<T>(): T | null {
  try {
    const text = window.sessionStorage.getItem(draftKey())
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function keepDraft(draft: object | null, key = draftKey()): void {
  try {
    if (draft === null) window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Storage is full or forbidden: it stays in memory.
  }
}
