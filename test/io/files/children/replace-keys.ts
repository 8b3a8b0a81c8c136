/** Child of the tests of `authorized_keys`: one replacement as another user, and what came of it as JSON. */
import { authorizedKeysFile } from '../../../../src/features/ssh-clients/files/authorized-keys.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'

const [path = '', user = ''] = process.argv.slice(2)
const file = authorizedKeysFile(path, { log: silentLog })
process.seteuid!(Number(user))
const { signal } = new AbortController()
const look = await file.look(signal)
const expected = look.kind === 'file' ? look.digest : null
const said = await file.replace(Buffer.from('# new\n'), { expected, evidence: false }, signal).then(
  () => ({ code: 'none' }),
  (error: unknown) =>
    error instanceof Failure
      ? { code: error.code, message: error.message }
      : { code: 'no failure', message: String(error) },
)
process.stdout.write(JSON.stringify(said))
