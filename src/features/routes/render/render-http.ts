/** One live HTTP record as text: its routers, its service and its own middlewares. */
import { quote } from '../../../kernel/text/quoted.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import { corsText } from '../middlewares/cors.ts'
import { isPlain, mayHoldBlank, withForms, type Writer } from '../fast/forms.ts'
import { httpRouters, redirectShape, routerShape, type Use } from './http-routers.ts'
import { roleMark } from './names.ts'
import { openPartsOf, openPathsOf } from '../opens/open-routers.ts'
import { traitsOf, valuesOf } from './route.ts'
import { bareRootPattern, type SitePart } from './rules.ts'
import { httpService, serviceShape } from './services.ts'
import type { RoutesSettings } from './settings.ts'
import { transportText } from './transports.ts'

/** Text per kind of object, empty where the record needs none. */
export interface HttpText {
  readonly cors: string
  readonly home: string
  readonly assets: string
  readonly document: string
  readonly open_assets: string
  readonly open_document: string
  readonly open: string
  readonly redirect: string
  readonly site: string
  readonly service: string
  readonly transport: string
}

export function httpWriter(settings: RoutesSettings, use: Use): (fields: DomainFields) => HttpText {
  const { open, ...routers } = httpRouters(settings, use)
  const openPaths = openPathsOf(settings)
  const exact = { ...routers, service: httpService }
  const quick = haveBlank(settings)
    ? exact
    : {
        assets: withForms(exact.assets, routerShape),
        document: withForms(exact.document, routerShape),
        redirect: withForms(exact.redirect, redirectShape),
        site: withForms(exact.site, routerShape),
        service: withForms(httpService, serviceShape),
      }
  return (fields) => {
    const traits = traitsOf(fields)
    const values = valuesOf(fields)
    const write: Record<keyof typeof exact, Writer> = isPlain(fields) ? quick : exact
    const paths = openPaths(fields)
    const opened: readonly (SitePart | null)[] =
      paths === null || paths.hindered_by !== null ? [] : openPartsOf(fields)
    // Few records have open paths, and theirs are no blanks of a form.
    const openText = (part: SitePart | null) => (opened.includes(part) ? open(part, traits, values) : '')
    const is_spa = traits.service_type === 'spa'
    return {
      cors: traits.has_cors ? corsText(quote(roleMark('cors') + fields.domain), fields.cors_origin) : '',
      home: traits.has_home ? homeText(fields) : '',
      assets: is_spa ? write.assets(traits, values) : '',
      document: is_spa ? write.document(traits, values) : '',
      open_assets: openText('assets'),
      open_document: openText('document'),
      open: openText(null),
      redirect: traits.ssl_enabled ? write.redirect(traits, values) : '',
      site: write.site(traits, values),
      service: write.service(traits, values),
      transport: transportText(fields, settings),
    }
  }
}

/** The settings that stand in routers. */
const haveBlank = ({ cert_resolver, http_entrypoint, https_entrypoint }: RoutesSettings): boolean =>
  [cert_resolver ?? '', http_entrypoint, https_entrypoint].some(mayHoldBlank)

/** From the bare root to `default_path`, on the same scheme, host and port. Temporary: the path may change. */
const homeText = ({ domain, default_path }: DomainFields): string =>
  `    ${quote(roleMark('home') + domain)}:\n      redirectRegex:\n        permanent: false\n` +
  `        regex: ${bareRootPattern(domain)}\n        replacement: ${quote(`$1${default_path}`)}\n`
