/** The parts of a domain: what the proxy runs, what name servers show, the certificate, who may open it, lines, history. */
import { refresh, useResource } from '../../api/cache.ts'
import type {
  Access,
  AuditEntry,
  DnsIntegrity,
  Domain,
  DomainCertificate,
  EffectiveConfig,
  ExplainedDomain,
} from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { componentWords } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { Copy } from '../../parts/copy.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { Trail } from './summary.tsx'

type Route = NonNullable<EffectiveConfig['generated']>['routes'][number]

/** The chain as it is rendered, each with the word of the proxy. */
export function RouteTab({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/effective-config?check_backend=true`
  const config = useResource<EffectiveConfig>(url)
  return (
    <Resource of={config} what="The route" retry={() => void refresh(url)}>
      {(value) => (
        <>
          <p class="q2 flush">
            <b>{visible(value.sync_status.replaceAll('_', ' '))}</b>
            {value.sync_reason !== null && `: ${visible(value.sync_reason)}`}
          </p>
          <BackendLine config={value} />
          {value.generated === null ? (
            <Empty title="Nothing is rendered of it." />
          ) : (
            value.generated.routes.map((route) => <Chain key={route.router} route={route} config={value} />)
          )}
        </>
      )}
    </Resource>
  )
}

function BackendLine({
  config: { backend_tcp_reachable: reached, backend_trouble: fault },
}: {
  readonly config: EffectiveConfig
}) {
  if (reached === undefined) return null
  const lamp = reached === null ? 'unknown' : reached ? 'ok' : 'bad'
  return (
    <p class="why">
      <LampIcon lamp={lamp} />
      <span>
        Backend: {reached === null ? 'not found out' : reached ? 'it answers' : 'it does not answer'}
        {fault !== null && fault !== undefined && `. ${visible(fault)}`}
      </span>
    </p>
  )
}

function Chain({ route, config }: { readonly route: Route; readonly config: EffectiveConfig }) {
  const found = config.runtime?.routes.find(
    ({ router }) => router.name.split('@')[0] === route.router,
  )?.router
  const lamp =
    found === undefined
      ? config.runtime === null
        ? 'unknown'
        : 'drift'
      : found.status === 'enabled'
        ? 'ok'
        : 'bad'
  return (
    <section class="box pad gapb">
      <p class="why">
        <LampIcon lamp={lamp} />
        <b class="mono">{visible(route.router)}</b>
      </p>
      <dl class="kv left">
        <dt>Rule</dt>
        <dd class="mono">{visible(route.rule)}</dd>
        <dt>Entry points</dt>
        <dd>{route.entrypoints.join(', ')}</dd>
        <dt>Middlewares, in order</dt>
        <dd>{route.middlewares.length === 0 ? 'none' : route.middlewares.join(' → ')}</dd>
        <dt>Service</dt>
        <dd>{visible(route.service)}</dd>
        <dt>Backends</dt>
        <dd class="mono">{route.addresses.map(visible).join(', ') || '–'}</dd>
        <dt>TLS</dt>
        <dd>{route.tls ? 'yes' : 'no'}</dd>
        <dt>The proxy</dt>
        <dd>
          {found === undefined
            ? config.runtime === null
              ? 'It was not asked: its API is not set up or did not answer.'
              : 'It does not have this router.'
            : visible([found.status, ...found.errors].join(', '))}
        </dd>
      </dl>
    </section>
  )
}

/** Wanted, at the provider, at each authoritative server, at resolvers. */
export function DnsTab({ id }: { readonly id: number }) {
  const integrity = useResource<DnsIntegrity>('/api/dns/integrity')
  const explained = useResource<ExplainedDomain>(`/api/domains/${id}/explain`).value
  const own = explained?.components.filter(({ component }) => component === 'dns') ?? []
  return (
    <>
      {explained?.not_published !== null && explained !== undefined && (
        <p class="why">
          <LampIcon lamp="off" />
          <span>No record is made: {visible(explained.not_published)}.</span>
        </p>
      )}
      {own.map((part) => (
        <ThreeTexts key={part.key} part={part} />
      ))}
      <Resource of={integrity} what="What name servers show">
        {({ names, reason }) => {
          const shown = names.filter(({ domain_id }) => domain_id === id)
          if (shown.length === 0)
            return (
              <p class="q2 gap">{reason === null ? 'Name servers are not asked for it.' : visible(reason)}</p>
            )
          return (
            <table>
              <thead>
                <tr>
                  <th>Who</th>
                  <th>Shows</th>
                  <th>Agrees</th>
                </tr>
              </thead>
              <tbody>
                {shown.flatMap((one) => [
                  <AnswerRow
                    key={`${one.type} p`}
                    who={`provider, ${one.type}`}
                    values={one.provider}
                    agrees={null}
                  />,
                  ...one.authoritative.map(({ host, values, agrees }) => (
                    <AnswerRow key={`${one.type} ${host}`} who={host} values={values} agrees={agrees} />
                  )),
                  ...one.resolvers.map(({ address, values, agrees }) => (
                    <AnswerRow
                      key={`${one.type} ${address}`}
                      who={`resolver ${address}`}
                      values={values}
                      agrees={agrees}
                    />
                  )),
                ])}
              </tbody>
            </table>
          )
        }}
      </Resource>
    </>
  )
}

interface AnswerProps {
  readonly who: string
  readonly values: readonly string[] | null
  readonly agrees: boolean | null
}

const AnswerRow = ({ who, values, agrees }: AnswerProps) => (
  <tr>
    <td>{visible(who)}</td>
    <td class="mono">{values === null ? 'not found out' : values.map(visible).join(', ') || 'nothing'}</td>
    <td>{agrees === null ? '' : <LampIcon lamp={agrees ? 'ok' : 'drift'} />}</td>
  </tr>
)

export function CertificateTab({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/cert`
  const found = useResource<DomainCertificate>(url)
  return (
    <Resource of={found} what="The certificate" retry={() => void refresh(url)}>
      {({ served, stored, manager, last_error, reachable, distrust }) => (
        <>
          {served === null && (
            <p class="why">
              <LampIcon lamp="unknown" />
              <span>
                {reachable
                  ? 'No certificate is served.'
                  : 'It could not be asked which certificate is served.'}
              </span>
            </p>
          )}
          <OneCertificate title="Served" of={served} />
          <OneCertificate title="Stored" of={stored} />
          <OneCertificate title="Held here" of={manager?.installed ?? null} />
          {manager?.order_step != null && <p class="q2 gap">Being ordered: {visible(manager.order_step)}</p>}
          {distrust !== null && <p class="c-bad gap">{visible(distrust)}</p>}
          {last_error !== null && <p class="c-bad gap">{visible(last_error)}</p>}
        </>
      )}
    </Resource>
  )
}

type Certificate = NonNullable<DomainCertificate['stored']>

function OneCertificate({ title, of }: { readonly title: string; readonly of: Certificate | null }) {
  if (of === null) return null
  return (
    <section class="box pad gapb">
      <h2 class="t">{title}</h2>
      <dl class="kv left">
        <dt>Names</dt>
        <dd class="mono">{of.names.map(visible).join(', ')}</dd>
        <dt>Issuer</dt>
        <dd>{visible(of.issuer)}</dd>
        <dt>Ends</dt>
        <dd>
          <time dateTime={of.not_after}>{of.not_after.slice(0, 10)}</time>, {of.state.replaceAll('_', ' ')}
        </dd>
        <dt>Fingerprint</dt>
        <dd class="mono">{of.fingerprint}</dd>
      </dl>
    </section>
  )
}

export function AccessTab({ record }: { readonly record: Domain }) {
  const url = `/api/access?host=${encodeURIComponent(record.domain)}`
  const access = useResource<Access>(url)
  const explained = useResource<ExplainedDomain>(`/api/domains/${record.id}/explain`).value
  return (
    <>
      {(explained?.sign_in ?? []).map(({ detail, cure }) => (
        <p key={detail} class="why">
          <LampIcon lamp="bad" />
          <span>
            {visible(detail)} {visible(cure)}
          </span>
        </p>
      ))}
      {explained?.not_proven != null && (
        <p class="why">
          <LampIcon lamp="unknown" />
          <span>{visible(explained.not_proven)}</span>
        </p>
      )}
      <Resource of={access} what="Who may open it" retry={() => void refresh(url)}>
        {({ entries, notes }) => (
          <>
            {notes.map((note) => (
              <p key={note} class="q2">
                {visible(note)}
              </p>
            ))}
            <table>
              <thead>
                <tr>
                  <th>May open</th>
                  <th>Who</th>
                  <th>Policy</th>
                  <th>In words</th>
                </tr>
              </thead>
              <tbody>
                {entries.map(({ username, can_open, policy, detail }) => (
                  <tr key={username ?? ''}>
                    <td>
                      <LampIcon lamp={can_open === null ? 'unknown' : can_open ? 'ok' : 'off'} />{' '}
                    </td>
                    <td>{username === null ? 'everybody else' : visible(username)}</td>
                    <td>{policy?.replaceAll('_', ' ') ?? '–'}</td>
                    <td class="q2">{visible(detail)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Resource>
    </>
  )
}

type Part = ExplainedDomain['components'][number]

/** The fragment of each edition, to copy. */
export function RenderedTab({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/explain`
  const explained = useResource<ExplainedDomain>(url)
  return (
    <Resource of={explained} what="What is rendered" retry={() => void refresh(url)}>
      {({ components }) => components.map((part) => <ThreeTexts key={part.key} part={part} />)}
    </Resource>
  )
}

function ThreeTexts({ part }: { readonly part: Part }) {
  const { title, detail } = componentWords(part.key)
  return (
    <section class="gapb">
      <h2 class="t">
        {title} {visible(detail)}
        <span class="more">
          seen <Time at={parseTime(part.observed_at)} ago />
        </span>
      </h2>
      <div class="texts">
        <OneText title="Saved" text={part.desired} />
        <OneText title="Released" text={part.released} />
        <OneText title="There" text={part.observed} unknown={part.unknown_because} />
      </div>
    </section>
  )
}

interface TextProps {
  readonly title: string
  readonly text: string | null
  readonly unknown?: string | null
}

const OneText = ({ title, text, unknown = null }: TextProps) => (
  <div class="box">
    <p class="pad s">
      <b>{title}</b> {text !== null && <Copy text={text} what={title.toLowerCase()} />}
    </p>
    {text === null ? (
      <p class="pad q2">{unknown === null ? 'nothing' : visible(unknown)}</p>
    ) : (
      // It can be scrolled, so the keyboard must reach it.
      <pre class="pad mono" tabIndex={0} role="region" aria-label={title}>
        {visibleLines(text)}
      </pre>
    )}
  </div>
)

export function HistoryTab({ record }: { readonly record: Domain }) {
  const url = `/api/audit?limit=100&domain_id=${record.id}`
  const trail = useResource<readonly AuditEntry[]>(url)
  return (
    <Resource of={trail} what="The history" retry={() => void refresh(url)}>
      {(entries) => (entries.length === 0 ? <Empty title="Nothing yet." /> : <Trail entries={entries} />)}
    </Resource>
  )
}
