import { useId, useState } from "preact/hooks"
import { announce } from "../../api/announce.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { isModuleType, MODULE_TYPES, optionsFor } from "./labels.ts"
import { DEFAULT_MODULE_SETTINGS } from "./save-module.ts"
import type { CourseModuleRow } from "./use-course-modules.ts"

interface LibraryDialogProps {
  rows: readonly CourseModuleRow[]
  save: (rows: readonly CourseModuleRow[]) => Promise<boolean>
  onClose: () => void
}

/** Adds modules that exist already. */
export function LibraryDialog({ rows, save, onClose }: LibraryDialogProps) {
  const id = useId()
  const [type, setType] = useState<(typeof MODULE_TYPES)[number]>("text")
  const [selected, select] = useState<readonly Choice[]>([])
  const add = async () => {
    const existingIds = new Set(rows.map(({ module_id }) => module_id))
    const added = selected
      .filter((choice) => !existingIds.has(choice.id))
      .map((choice) => ({ module_id: choice.id, name: choice.name, type, ...DEFAULT_MODULE_SETTINGS }))
    onClose()
    if (added.length === 0 || (await save([...rows, ...added])))
      announce(t("courses:modules.added", { count: added.length, shown: number(added.length) }))
  }
  return (
    <Dialog title={t("courses:modules.from-library")} onClose={onClose}>
      <div class="field">
        <label for={id}>{t("courses:type")}</label>
        <select
          id={id}
          onChange={({ currentTarget: { value } }) => {
            if (isModuleType(value)) setType(value)
            select([])
          }}
        >
          {optionsFor("type", MODULE_TYPES).map(({ value, label }) => (
            <option key={value} value={value} selected={value === type}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <Form
        submit={t("courses:modules.add-selected")}
        isReady={selected.length > 0}
        onSubmit={add}
        more={<CancelButton />}
      >
        <Picker
          key={type}
          name="modules"
          label={t("courses:modules.to-add")}
          path={`/api/modules/${type}`}
          query={(moduleName) => ({ search_param: { moduleName }, order_by: { colName: "name" } })}
          toChoice={(module) => ({ id: module.id, name: module.name })}
          selected={selected}
          onSelect={select}
        />
      </Form>
    </Dialog>
  )
}
