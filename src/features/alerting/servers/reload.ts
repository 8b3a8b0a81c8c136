/** Asking a server to read its files again: over HTTP, by a command, or by its unit. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { runCommand } from '../../../kernel/run-command.ts'
import type { ReloadSetting } from '../setting-kinds.ts'
import { quoted, replyOf, type Server } from './ask.ts'

const COMMAND_MS: Milliseconds = 30_000

export interface Reloading {
  readonly how: Exclude<ReloadSetting, { readonly way: 'none' }>
  /** What it is told by, for what would help. */
  readonly setting: string
}

/** Null where it was taken; else why not, as a sentence. */
export async function askReload(
  server: Server,
  { how, setting }: Reloading,
  signal: AbortSignal,
): Promise<string | null> {
  if (how.way === 'url') return byUrl(server, setting, signal)
  const command = how.way === 'unit' ? ['systemctl', 'reload', how.unit] : how.command
  const ran = await runCommand(command, { max_ms: COMMAND_MS, signal })
  if (ran.ok) return null
  const said = ran.output === '' ? '' : `: ${ran.output}`
  return `${server.name} was not reloaded by ${setting}: ${ran.why}${said}.`
}

async function byUrl(
  { name, url, http }: Server,
  setting: string,
  signal: AbortSignal,
): Promise<string | null> {
  const reply = await replyOf(() => http.request({ method: 'POST', url: `${url}/-/reload`, signal }))
  if (typeof reply === 'string') return `${name} was not reloaded. ${reply}`
  if (reply.status === 200) return null
  if (reply.status === 403 && reply.text.includes('Lifecycle API is not enabled'))
    return `${name} takes no reload over HTTP: start it with --web.enable-lifecycle (Debian: ARGS in /etc/default/prometheus), or set ${setting} to unit:prometheus.`
  return `${name} refused to reload: ${quoted(reply)}.`
}
