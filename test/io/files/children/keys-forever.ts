/** Child of the kill test of `authorized_keys`: writes one version after the other until it is killed. */
import { authorizedKeysFile } from '../../../../src/features/ssh-clients/files/authorized-keys.ts'
import { silentLog } from '../../../../src/kernel/log.ts'

const file = authorizedKeysFile(process.argv[2] ?? '', { log: silentLog })
const { signal } = new AbortController()
for (let version = 1; ; version++) {
  const look = await file.look(signal)
  const expected = look.kind === 'file' ? look.digest : null
  await file.replace(Buffer.from(`# ${version} `.repeat(5_000)), { expected, evidence: false }, signal)
}
