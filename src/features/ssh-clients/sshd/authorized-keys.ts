/** An `authorized_keys` file on another host, with the owners and modes that sshd asks for. */
import type { SFTPWrapper } from 'ssh2'
import { sha256 } from '../../../kernel/digest.ts'
import { SSH_KEYS } from '../../../model/file-access.ts'
import { foldersAbove, type PathFacts, type WayToFile } from '../../../model/ssh/strict-modes.ts'
import { remoteFile, type RemoteFileOptions } from '../../../io/ssh/remote-file.ts'
import { attributesOf, isDenied, realPath } from '../../../io/ssh/remote-files.ts'
import type { AuthorizedKeys } from '../authorized-keys-port.ts'

export interface RemoteKeys extends Pick<RemoteFileOptions, 'server' | 'path' | 'place' | 'gate' | 'onBack'> {
  readonly installation_id: string
}

export function remoteAuthorizedKeys({ installation_id, ...options }: RemoteKeys): AuthorizedKeys {
  const { path } = options
  const file = remoteFile({
    ...options,
    mark: sha256([installation_id]).slice(0, 16),
    max_bytes: 1024 * 1024,
    mode: 0o600,
    access: SSH_KEYS,
  })
  return {
    ...file,
    async see(signal) {
      const { look, also } = await file.lookAnd((sftp) => wayTo(sftp, path), signal)
      return { look, way: also }
    },
    rewrite: (make, replacement, signal) =>
      file.lookAndReplace(
        {
          use: (sftp) => wayTo(sftp, path),
          make: ({ look, also }) => make({ look, way: also }),
        },
        replacement,
        signal,
      ),
  }
}

/** We log in as the user for whom sshd reads the file, and begin in its home (draft-ietf-secsh-filexfer-02 §6.2). */
async function wayTo(sftp: SFTPWrapper, path: string): Promise<WayToFile | null> {
  if ((await attributesOf(sftp, path)) === null) return null
  const home = await realPath(sftp, '.')
  const real = await realPath(sftp, path)
  const steps: PathFacts[] = []
  for (const step of [real, ...foldersAbove(real, home)]) {
    const found = await attributesOf(sftp, step).catch((error: unknown) => {
      if (isDenied(error)) return null
      throw error
    })
    if (found !== null) steps.push({ path: step, uid: found.uid, mode: found.mode })
  }
  const uid = (await attributesOf(sftp, home))?.uid ?? steps[0]?.uid ?? 0
  return { uid, steps }
}
