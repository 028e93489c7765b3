import { Icon } from '../chat/Icon.tsx'
import { directoryOf } from '../sessions/session-directory.ts'
import { useStore } from '../state/store.ts'
import { chooseLanguage, language, t } from '../words/language.ts'
import { useConnection } from './app-context.ts'
import { Menu, type MenuItem } from './Menu.tsx'
import { chooseTheme, type Theme, theme } from './theme.ts'

/** How the page looks, which language it speaks, and what the list shows. */
export function SettingsMenu() {
  const directory = directoryOf(useConnection())
  const { filter } = useStore(directory.state)
  const archived: MenuItem = {
    label: t('Show archived conversations'),
    isChecked: filter.archived,
    run: () => directory.setFilter({ archived: !filter.archived }),
  }
  return (
    <Menu
      label={t('Settings')}
      button={
        <>
          <Icon name="gear" /> {t('Settings')}
        </>
      }
      groups={() => [[archived], ...lookItems()]}
    />
  )
}

/** Language and theme, for every menu that has them. */
export function lookItems(): readonly (readonly MenuItem[])[] {
  const languages: readonly MenuItem[] = [
    choice('English', language.get() === 'en', () => chooseLanguage('en')),
    choice('简体中文', language.get() === 'zh', () => chooseLanguage('zh')),
  ]
  const look = (label: string, value: Theme): MenuItem => choice(label, theme.get() === value, () => chooseTheme(value))
  return [[look(t('As the system has it'), 'system'), look(t('Light'), 'light'), look(t('Dark'), 'dark')], languages]
}

function choice(label: string, isChecked: boolean, run: () => void): MenuItem {
  return { label, isChecked, isChoice: true, run }
}
