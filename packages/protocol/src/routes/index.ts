import { doorRoutes } from './door-routes.ts'
import { editRoutes } from './edit-routes.ts'
import { generateRoutes } from './generate-routes.ts'
import type { Route } from './route.ts'
import { sessionRoutes } from './session-routes.ts'
import { treeRoutes } from './tree-routes.ts'

/** Everything that can be asked for over HTTP. Paths that name something come before those that take any id. */
export const routes = { ...sessionRoutes, ...treeRoutes, ...editRoutes, ...generateRoutes }

export type Routes = typeof routes
export type RouteName = keyof Routes

interface RouteGroup {
  readonly name: string
  readonly about: string
  readonly routes: Readonly<Record<string, Route>>
}

/** All of them in the order in which somebody reads about them, with those beside the table. */
export const routeGroups: readonly RouteGroup[] = [
  { name: 'Sessions', about: 'Sessions as wholes, and what is about none of them.', routes: sessionRoutes },
  { name: 'Reading', about: 'Reading one session: its tree, its nodes, its line, its events.', routes: treeRoutes },
  { name: 'Editing', about: 'Changing how a tree is read. Nothing is overwritten.', routes: editRoutes },
  {
    name: 'Generating',
    about: 'Saying something and having it answered. What is begun here ends with an event.',
    routes: generateRoutes,
  },
  { name: 'Door', about: 'The way in, and what those ask who keep it running.', routes: doorRoutes },
]
