/** Icons of the console, our own few, as symbols of one sprite; and the lamps, a shape for each. */
import type { ComponentChildren } from 'preact'

const PATHS = {
  overview: 'M8 1.5v7M5.6 8.5h4.8c0 2.600-1 4.300-2.400 6-1.400-1.700-2.400-3.400-2.400-6zM2.500 1.500h11',
  domains: 'M2 4h12M2 8h12M2 12h7',
  drift: 'M8 2 14 8 8 14 2 8zM8 5.600v3M8 10.400v.1',
  changes: 'M3 3v10M3 5h4c3 0 3 3 6 3M10.500 5.500 13 8l-2.500 2.500',
  cert: 'M8 2.200a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM6 9.500V14l2-1.200 2 1.200V9.500',
  dns: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c2 2 2 10 0 12M8 2c-2 2-2 10 0 12',
  access: 'M4 7h8v6.500H4zM5.500 7V5a2.500 2.500 0 0 1 5 0v2',
  people:
    'M6 7.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5zM1.800 13.500c.3-2.600 2-4 4.200-4s3.900 1.400 4.200 4M10.800 3a2.300 2.300 0 0 1 0 4.300M12 9.800c1.300.5 2.100 1.700 2.300 3.500',
  ddns: 'M2.500 8a5.500 5.500 0 0 1 9.600-3.600M13.500 8a5.500 5.500 0 0 1-9.600 3.600M12.500 1.800v2.800H9.700M3.500 14.200v-2.800h2.800',
  ssh: 'M2.500 3.500h11v9h-11zM5 6.500 7 8 5 9.500M8.500 10H11',
  edges:
    'M8 6.500V3M8 9.500v1.200M3.500 13.300a1.300 1.300 0 1 1 0-2.600 1.300 1.300 0 0 1 0 2.600zM12.500 13.300a1.300 1.300 0 1 1 0-2.600 1.300 1.300 0 0 1 0 2.600zM3.500 10.700V9.500h9v1.200',
  map: 'M2 4.500h3v3H2zM11 2.500h3v3h-3zM11 10.500h3v3h-3zM5 6h3V4h3M8 6v6h3',
  network: 'M2.500 6.500a8 8 0 0 1 11 0M4.500 9a5 5 0 0 1 7 0M6.500 11.300a2.200 2.200 0 0 1 3 0M8 13.300v.1',
  system:
    'M8 5.800a2.200 2.200 0 1 1 0 4.400 2.200 2.200 0 0 1 0-4.400zM8 1.800v2M8 12.200v2M1.800 8h2M12.200 8h2M3.600 3.600 5 5M11 11l1.400 1.400M3.600 12.400 5 11M11 5l1.400-1.400',
  inventory: 'M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5v.1M5 11v.1',
  vpn: 'M8 1.800 13 4v4c0 3-2 5.200-5 6.200C5 13.200 3 11 3 8V4zM6 8l1.500 1.500L10.300 6.500',
  discover: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM10.500 5.500 9 9l-3.500 1.500L7 7z',
  search: 'M7 2.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9zM10.300 10.300 14 14',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  more: 'M3.500 8v.1M8 8v.1M12.500 8v.1',
  down: 'M5 6.500 8 9.500l3-3',
  ext: 'M6 3H3v10h10v-3M9 3h4v4M13 3 7.500 8.500',
  cut: 'M3 8h2M7 8h2M11 8h2',
  plus: 'M8 3v10M3 8h10',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.500H3zM6.800 14.200h2.400',
  up: 'M8 13V3M4.500 6.500 8 3l3.500 3.500',
} as const

export type IconName = keyof typeof PATHS

/** Drawn once, before everything that uses it. */
export function Sprite() {
  return (
    <svg width="0" height="0" aria-hidden="true" class="sr">
      <defs>
        <Lamp id="ok">
          <circle cx="6" cy="6" r="3.1" fill="currentColor" />
        </Lamp>
        <Lamp id="pending">
          <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.8" />
        </Lamp>
        <Lamp id="moving">
          <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M6 2a4 4 0 0 1 0 8z" fill="currentColor" />
        </Lamp>
        <Lamp id="drift">
          <path d="M6 .9 11.1 6 6 11.1.9 6z" fill="currentColor" />
        </Lamp>
        <Lamp id="bad">
          <circle cx="6" cy="6" r="5.6" fill="currentColor" />
          <path d="m4 4 4 4m0-4L4 8" stroke="var(--card)" stroke-width="1.6" stroke-linecap="round" />
        </Lamp>
        <Lamp id="unknown">
          <circle
            cx="6"
            cy="6"
            r="4.6"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
            stroke-dasharray="2 1.6"
          />
          <circle cx="6" cy="6" r="1" fill="currentColor" />
        </Lamp>
        <Lamp id="off">
          <path d="M3.5 6h5" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
        </Lamp>
        <Lamp id="todo">
          <circle cx="6" cy="6" r="1.6" fill="var(--edge)" />
        </Lamp>
        <symbol id="mark" viewBox="0 0 20 22">
          <path d="M10 0v12" stroke="currentColor" stroke-width="1.5" />
          <path d="M6.4 11.5h7.2c0 4.2-1.6 7.2-3.6 10-2-2.8-3.6-5.8-3.6-10z" fill="var(--brass)" />
        </symbol>
        {Object.entries(PATHS).map(([name, d]) => (
          <symbol key={name} id={`i-${name}`} viewBox="0 0 16 16">
            <path
              d={d}
              fill="none"
              stroke="currentColor"
              stroke-width="1.35"
              stroke-linecap="round"
              stroke-linejoin="round"
            />
          </symbol>
        ))}
      </defs>
    </svg>
  )
}

const Lamp = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <symbol id={id} viewBox="0 0 12 12">
    {children}
  </symbol>
)

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg width={size} height={size} aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
)

export const Mark = ({ width = 20, height = 22 }: { width?: number; height?: number }) => (
  <svg width={width} height={height} aria-hidden="true">
    <use href="#mark" />
  </svg>
)
