/** A stand-in for `authelia config validate`, as a script: what it takes and what it refuses is said as lines of a shell. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What 4.38 and later say of a configuration that they take. */
const TAKEN = 'Configuration parsed and loaded successfully without errors.'

/**
 * For `PLUMBLINE_AUTHELIA`. It refuses what no Authelia takes, and what `refuses` does: lines that may say why and `exit`,
 * with the file in `$1`. Each time that it is asked, a line comes into `asked.log` of the folder.
 */
export function checkCommand(folder: string, refuses = ''): string {
  const script = join(folder, 'authelia-check')
  writeFileSync(
    script,
    `#!/bin/sh\necho asked >> ${join(folder, 'asked.log')}\n${refuses}\n` +
      `if grep -Eq '^  default_policy: "(deny|one_factor|two_factor)"' "$1"; then echo '${TAKEN}'; exit 0; fi\n` +
      `echo 'access_control: option default_policy is invalid' >&2; exit 1\n`,
  )
  chmodSync(script, 0o755)
  return `${script} {file}`
}
