/** The command that does what an act does; null where none does, as for looking. Pure. */
import type { Act } from '../../model/acts/act.ts'

/** @param domain the name by which a command calls the record of a deploy; left out: everything */
export function commandFor({ id, path, body }: Act, domain?: string): string | null {
  switch (id) {
    case 'deploy':
      return domain === undefined || body?.['domain'] === undefined
        ? 'plumbline plan'
        : `plumbline plan ${domain}`
    case 'repair':
      return textIn(body, 'component') === ''
        ? `plumbline dns remove ${recordIn(body)}`
        : `plumbline plan --component ${textIn(body, 'component')}`
    case 'adopt':
      return `plumbline dns adopt ${recordIn(body)}`
    case 'release_record':
      return `plumbline dns release ${recordIn(body)}`
    case 'retry':
      return path.startsWith('/api/tls/')
        ? 'plumbline certificates reconcile --retry'
        : `plumbline reconcile ${decodeURIComponent(path.split('=')[1] ?? '')}`
    case 'lift':
      return `plumbline access lift ${decodeURIComponent(path.split('/').at(-2) ?? '')}`
    case 'resume': {
      const scope = decodeURIComponent(path.split('/').at(-1) ?? '*')
      return `plumbline mode set repair${scope === '*' ? '' : ` ${scope}`}`
    }
    case 'go_back':
      return `plumbline releases restore ${path.split('/')[3]}`
    case 'discard':
      return `plumbline discard ${domain ?? path.split('/')[3]}`
    case 'configure':
      return 'plumbline config'
    case 'look':
    case 'ignore':
    case 'save_theirs':
      return null
  }
}

const recordIn = (body: Act['body']): string => `${textIn(body, 'type')} ${textIn(body, 'name')}`

function textIn(body: Act['body'], name: string): string {
  const value = body?.[name]
  return typeof value === 'string' ? value : ''
}
