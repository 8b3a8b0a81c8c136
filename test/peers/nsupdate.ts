/** Editing a zone by `nsupdate`, as people and other programs do: no code of ours. */
import { execFile } from 'node:child_process'
import type { TsigKey } from './dig.ts'
import { TOOL_MS, TOOL_PATH, whichProgram } from './peer.ts'

/** Sends the lines as one update. Throws with its words when the server refuses. */
export function nsupdate(
  port: number,
  { algorithm, name, secret }: TsigKey,
  lines: readonly string[],
): Promise<void> {
  const script = [
    `server 127.0.0.1 ${port}`,
    `key ${algorithm}:${name} ${secret}`,
    ...lines,
    'send',
    'quit',
    '',
  ].join('\n')
  return new Promise((resolve, reject) => {
    const child = execFile(
      whichProgram('nsupdate')!,
      ['-v'],
      { env: { PATH: TOOL_PATH }, timeout: TOOL_MS },
      (error, stdout, stderr) =>
        error === null ? resolve() : reject(new Error(`nsupdate: ${stdout}${stderr}`, { cause: error })),
    )
    // It may end before it has read: how it ended says why.
    child.stdin!.on('error', () => undefined).end(script)
  })
}
