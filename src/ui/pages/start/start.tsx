/** First steps: four that tick by themselves; it can be left at any of them. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useResource } from '../../api/cache.ts'
import type { ControlPlaneHealth, DnsZones, DomainStats, Setting } from '../../api/types.ts'
import { lampOfHealth, type Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { NewDomainForm } from '../new-domain/new-domain.tsx'

export function Start() {
  const health = useResource<ControlPlaneHealth>('/api/control-plane/health').value
  const zones = useResource<DnsZones>('/api/dns/zones').value?.zones ?? []
  const stats = useResource<DomainStats>('/api/domains/stats').value
  // It stays for its proof once the domain is there.
  const isMaking = useSignal(false)
  if (stats?.total === 0 && !isMaking.peek()) isMaking.value = true
  const settings = useResource<readonly Setting[]>('/api/settings').value ?? []
  const setting = (name: string) => settings.find((one) => one.name === name)?.value ?? null
  const proxy = health?.components.find(({ name }) => name === 'proxy')
  const file = setting('PLUMBLINE_ROUTES_FILE')
  const address = setting('PLUMBLINE_PUBLIC_IP')
  return (
    <>
      <h1>First steps</h1>
      <p class="q2 sub">
        They tick by themselves. <a href="/domains">Leave them</a>: nothing here is needed twice.
      </p>
      <ol class="first">
        <Step lamp="ok" title="You have reached the console">
          This page is served by your own daemon, and asks nobody else.
        </Step>
        <Step lamp={proxy === undefined ? 'unknown' : lampOfHealth(proxy)} title="The proxy reads the file">
          {proxy === undefined ? 'It is being looked at.' : visible(proxy.message)}
          {file !== null && (
            <>
              {' '}
              Let Traefik watch the folder of <code>{visible(file)}</code>:
            </>
          )}
          <pre class="box pad mono" tabIndex={0} role="region" aria-label="Lines for Traefik">
            {`providers:\n  file:\n    directory: ${file === null ? '/the/folder' : visible(file).replace(/\/[^/]*$/, '')}\n    watch: true`}
          </pre>
          {proxy !== undefined && !proxy.configured && (
            <p class="s q2">
              With <code>PLUMBLINE_TRAEFIK_API</code> this lamp turns when the proxy runs what is written.
              Without it only the file is kept true.
            </p>
          )}
        </Step>
        <Step lamp={zones.length > 0 && address !== null ? 'ok' : 'off'} title="Name and address">
          {zones.length > 0
            ? `Zones: ${zones.map(({ zone }) => visible(zone)).join(', ')}.`
            : 'No zone of a DNS account is known: records are made elsewhere.'}{' '}
          {address === null
            ? 'No public address is set: with PLUMBLINE_PUBLIC_IP records are made of names.'
            : `Public address: ${visible(address)}.`}
        </Step>
        <Step lamp={stats !== undefined && stats.total > 0 ? 'ok' : 'todo'} title="The first domain">
          {stats !== undefined && stats.total > 0 ? (
            <a href="/domains">There are {stats.total}.</a>
          ) : (
            'Three fields make one: name, target, who gets in.'
          )}
        </Step>
      </ol>
      {isMaking.value && <NewDomainForm />}
    </>
  )
}

interface StepProps {
  readonly lamp: Lamp | 'todo'
  readonly title: string
  readonly children: ComponentChildren
}

const Step = ({ lamp, title, children }: StepProps) => (
  <li class="why">
    <LampIcon lamp={lamp} />
    <div>
      <h2 class="head2">{title}</h2>
      <div class="q2">{children}</div>
    </div>
  </li>
)
