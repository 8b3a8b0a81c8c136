/** Names of resolver configurations in the form of the model. */
import { domainToASCII } from 'node:url'

const NAME = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/

/** Lower-case A-labels without a closing dot, empty for the root; null for what is no name. A star is none. */
export function plainName(text: string): string | null {
  const bare = text.replace(/\.$/, '').toLowerCase()
  // oxlint-disable-next-line no-control-regex
  const name = /^[\u0000-\u007f]*$/.test(bare) ? bare : domainToASCII(bare)
  if (name === '') return text === '.' || text === '' ? '' : null
  return name.length <= 253 && NAME.test(name) ? name : null
}
