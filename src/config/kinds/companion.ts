/** The one setting that every companion has: an address of its own. */
import { optional } from '../setting.ts'
import { listenAddress, showHostPort } from './network.ts'

interface Listening {
  /** Its word: the setting is `PLUMBLINE_WORD_LISTEN`. */
  readonly companion: string
  /** How people call it, as the end of a sentence. */
  readonly called: string
  readonly port: number
}

/** Null until it is set; the value says which setting it came from. */
export function companionListen({ companion, called, port }: Listening) {
  const name = `PLUMBLINE_${companion.toUpperCase()}_LISTEN`
  return optional({
    name,
    example: `127.0.0.1:${port}`,
    schema: listenAddress.transform((place) => ({ ...place, setting: name })),
    show: (place) => (place === null ? '' : showHostPort(place)),
    help: `An address of its own for ${called}, beside /companions/${companion}/ of the main listener.`,
  })
}
