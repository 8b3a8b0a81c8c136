/** The command that does what an act does; null where none does, as for looking. Pure. */
import { shellWord } from '../../kernel/text/shell-word.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { Act } from '../../model/acts/act.ts'
import { modeEndCommand, type SetMode } from '../../model/mode.ts'

/**
 * Null also where it could not be copied as one line: what an API names may hold anything.
 * @param domains the names by which a command calls the records of a deploy
 * @param modes that are in force, one of which a `resume` ends
 */
export function commandFor(
  act: Act,
  domains: readonly string[],
  modes: readonly SetMode[] = [],
): string | null {
  const command = lineFor(act, domains, modes)
  return command !== null && visible(command) === command && !command.includes('\n') ? command : null
}

function lineFor(
  { id, path, body }: Act,
  domains: readonly string[],
  modes: readonly SetMode[],
): string | null {
  switch (id) {
    case 'deploy': {
      const is_all = body?.['domain'] === undefined && body?.['domains'] === undefined
      return ['plumbline plan', ...(is_all ? [] : domains.map(shellWord))].join(' ')
    }
    case 'repair':
      return textIn(body, 'component') === ''
        ? `plumbline dns remove ${recordIn(body)}`
        : `plumbline reconcile ${shellWord(textIn(body, 'component'))}`
    case 'adopt':
      return `plumbline dns adopt ${recordIn(body)}`
    case 'release_record':
      return `plumbline dns release ${recordIn(body)}`
    case 'retry':
      return path.startsWith('/api/tls/')
        ? 'plumbline certificates reconcile --retry'
        : `plumbline reconcile ${shellWord(decoded(path.split('=')[1] ?? ''))}`
    case 'lift':
      return `plumbline access lift ${shellWord(decoded(path.split('/').at(-2) ?? ''))}`
    case 'resume': {
      const scope = decoded(path.split('/').at(-1) ?? '*')
      return modeEndCommand(modes.find((one) => one.scope === scope) ?? { scope })
    }
    case 'go_back':
      return `plumbline releases restore ${shellWord(path.split('/')[3] ?? '')}`
    case 'discard':
      return `plumbline discard ${shellWord(domains[0] ?? path.split('/')[3] ?? '')}`
    case 'configure':
      return 'plumbline config'
    case 'ignore':
      return `plumbline drift ignore ${shellWord(decoded(path.split('/').slice(4).join('/')))} --for 1d --reason TEXT`
    case 'save_theirs':
      return `plumbline drift save-theirs ${shellWord(textIn(body, 'item'))}`
    case 'look':
      return null
  }
}

/** As it stands where it is no such text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const recordIn = (body: Act['body']): string =>
  `${shellWord(textIn(body, 'type'))} ${shellWord(textIn(body, 'name'))}`

function textIn(body: Act['body'], name: string): string {
  const value = body?.[name]
  return typeof value === 'string' ? value : ''
}
