/** `@treeline/formats`: other tools' sessions, read where they are, imported with every branch, and written back. */

export { findBlobFolders } from './blob-folders.ts'
export type {
  ForeignFile,
  Format,
  FormatName,
  Sink,
  Translation,
  UsualPlaces,
  WriteOptions,
  Writer,
  WriterName,
} from './format.ts'
export { type Imported, type ImportOptions, importSession } from './import/import-session.ts'
export type { FormatNote } from './note.ts'
export { type OpenedFile, type OpenFileOptions, openSessionFile } from './open-session-file.ts'
export { readSample } from './read-file.ts'
export { detectFormat, findFormat, formats, loadWriter, writerNames } from './registry.ts'
export type { Sample } from './sample.ts'
export { type UsualSourcesOptions, usualSources } from './sources.ts'
export { findUsualFolders, type UsualFolders, type UsualFoldersOptions } from './usual-folders.ts'
