/** Making what was written durable, by hand: for strangers who do it and for bugs that leave it out. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Of a file or a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
