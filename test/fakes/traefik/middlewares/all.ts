/** Every HTTP middleware that a file may name. */
import { basicAuth } from './basic-auth.ts'
import { CHECKED } from './checked.ts'
import { type Build, texts } from './context.ts'
import { forwardAuth } from './forward-auth.ts'
import { headers } from './headers.ts'
import { ipAllowList } from './ip-allow-list.ts'
import { addPrefix, replacePath, replacePathRegex, stripPrefix, stripPrefixRegex } from './paths.ts'
import { redirectRegex, redirectScheme } from './redirects.ts'

const chain: Build = (config, { chain: chained }) => chained(texts(config, 'middlewares'))

export const MIDDLEWARES: Readonly<Record<string, Build>> = {
  ...CHECKED,
  addPrefix,
  basicAuth,
  chain,
  forwardAuth,
  headers,
  ipAllowList,
  ipWhiteList: ipAllowList,
  redirectRegex,
  redirectScheme,
  replacePath,
  replacePathRegex,
  stripPrefix,
  stripPrefixRegex,
}
