/** `@treeline/agent/models`: which models there are and how they are reached. Loads no provider's package until one is used. */

export type { ModelListing } from './list-models.ts'
export { type OpenedCatalogue, openCatalogue } from './open-catalogue.ts'
export { findProvider, type Provider, providerNames } from './providers.ts'
