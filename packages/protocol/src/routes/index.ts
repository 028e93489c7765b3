import { editRoutes } from './edit-routes.ts'
import { generateRoutes } from './generate-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { treeRoutes } from './tree-routes.ts'

/** Everything that can be asked for over HTTP. Paths that name something come before those that take any id. */
export const routes = { ...sessionRoutes, ...treeRoutes, ...editRoutes, ...generateRoutes }

export type Routes = typeof routes
export type RouteName = keyof Routes
