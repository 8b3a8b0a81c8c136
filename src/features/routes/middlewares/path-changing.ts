/** Which types of middleware hand another path to the backend than the one that was sent, or may hold one that does. */
const PATH_CHANGING: ReadonlySet<string> = new Set([
  'addPrefix',
  'chain',
  'plugin',
  'replacePath',
  'replacePathRegex',
  'stripPrefix',
  'stripPrefixRegex',
])

/** @param type Traefik's name of it: `stripPrefix` */
export const mayChangePath = (type: string): boolean => PATH_CHANGING.has(type)
