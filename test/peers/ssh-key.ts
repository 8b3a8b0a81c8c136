/** A new key pair of OpenSSH, which no passphrase protects. */
import { runTool } from './peer.ts'

export const makeSshKey = (path: string, comment = ''): Promise<string> =>
  runTool('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', path])
