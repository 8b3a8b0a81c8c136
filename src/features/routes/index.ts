/** The door of routes: the file of the proxy, and what the proxy has loaded of it. */
import type { Manifest } from '../../core/manifest.ts'
import { routes } from './settings.ts'
import { traefik } from './traefik/settings.ts'

export const ROUTES = {
  name: 'routes',
  settings: { routes, traefik },
} satisfies Manifest
