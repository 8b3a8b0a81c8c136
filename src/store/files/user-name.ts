/** What users of this host are called, as passwd(5) has it: those of another source have their id alone. */
import { readFileSync } from 'node:fs'

export function userName(uid: number): string | null {
  const fields = passwd()
    .split('\n')
    .map((line) => line.split(':'))
    .find((all) => all[2] === String(uid))
  return fields?.[0] === undefined || fields[0] === '' ? null : fields[0]
}

export const userWords = (uid: number): string => `the user ${userName(uid) ?? `with the id ${uid}`}`

function passwd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
