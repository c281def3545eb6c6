import { useEffect, useRef, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import { CourseModule } from "./course-module.tsx"
import type { CourseTabProps } from "./course-tab.ts"
import { MODULE_TYPES, optionsFor } from "./labels.ts"
import { DEFAULT_MODULE_SETTINGS } from "./save-module.ts"

type Row = Omit<Schemas["Course"]["modules"][number], "slug">

/**
 * Optimistic edits of the modules of a course: shown immediately, sent one after the other, reverted when one fails.
 */
function useModules({ record: course, version, refetch }: CourseTabProps) {
  const [rows, setRows] = useState<readonly Row[]>(course.modules)
  const [error, setError] = useState<unknown>()
  const pendingRows = useRef<readonly Row[]>()
  const isSending = useRef(false)
  const latestVersion = useRef(version)
  useEffect(() => {
    if (isSending.current) return
    setRows(course.modules)
    latestVersion.current = version
  }, [course.modules, version])

  const refresh = async () => {
    const { data } = await refetch()
    latestVersion.current = data?.version ?? latestVersion.current
    return data?.record ?? course
  }
  const save = async (next: readonly Row[]) => {
    setRows(next)
    pendingRows.current = next
    if (isSending.current) return
    isSending.current = true
    setError(undefined)
    const params = { path: { id: course.id } }
    try {
      while (pendingRows.current) {
        const modules = pendingRows.current.map(
          ({ module_id, required, isLocked, dripDays, minTimeSpent, opensAt }) => ({
            module_id,
            required,
            isLocked,
            dripDays,
            minTimeSpent,
            opensAt,
          }),
        )
        pendingRows.current = undefined
        await api.PUT("/api/course/{id}", { params, body: { modules }, headers: { "If-Match": latestVersion.current } })
        await refresh()
      }
    } catch (failure) {
      pendingRows.current = undefined
      setError(failure)
      setRows((await refresh()).modules)
    } finally {
      isSending.current = false
    }
  }
  return { rows, error, save }
}

/** The modules of a course: order and settings. */
export function CourseModules(props: CourseTabProps) {
  const { rows, error, save } = useModules(props)
  const [type, setType] = useState<(typeof MODULE_TYPES)[number]>("text")
  const [selected, setChosen] = useState<readonly Choice[]>([])
  const list = useRef<HTMLElement>(null)
  const change = (changed: Row) => save(rows.map((row) => (row.module_id === changed.module_id ? changed : row)))
  const remove = (removed: Row) => {
    announce(t("courses:modules.removed", { name: removed.name }))
    list.current?.focus()
    return save(rows.filter(({ module_id }) => module_id !== removed.module_id))
  }
  const add = async () => {
    const existingIds = new Set(rows.map(({ module_id }) => module_id))
    const added = selected
      .filter(({ id }) => !existingIds.has(id))
      .map(({ id, name }) => ({ module_id: id, name, type, ...DEFAULT_MODULE_SETTINGS }))
    setChosen([])
    if (added.length > 0) await save([...rows, ...added])
    announce(t("courses:modules.added", { count: added.length, shown: number(added.length) }))
  }
  return (
    <>
      <ErrorMessage error={error} />
      <section ref={list} tabIndex={-1} aria-label={t("courses:tab.modules")}>
        {rows.length === 0 && <p class="empty">{t("courses:modules.none")}</p>}
        <SortableList
          label={t("courses:tab.modules")}
          items={rows}
          keyOf={({ module_id }) => module_id}
          nameOf={({ name }) => name}
          onReorder={save}
        >
          {(row) => <CourseModule module={row} onChange={change} onRemove={remove} />}
        </SortableList>
      </section>
      <section class="card" aria-labelledby="add-module">
        <h2 id="add-module">{t("courses:modules.add")}</h2>
        <div class="filters">
          <div class="field">
            <label for="module-type">{t("courses:type")}</label>
            <select
              id="module-type"
              onChange={({ currentTarget: { value } }) => {
                setType(MODULE_TYPES.find((candidate) => candidate === value) ?? "text")
                setChosen([])
              }}
            >
              {optionsFor("type", MODULE_TYPES).map(({ value, label }) => (
                <option key={value} value={value} selected={value === type}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <a class="button" href={`/console/modules/${type}/new?course=${props.record.id}`}>
            {t("courses:modules.new")}
          </a>
        </div>
        <Form submit={t("courses:modules.add")} isReady={selected.length > 0} onSubmit={add}>
          <Picker
            key={type}
            name="modules"
            label={t("courses:modules.to-add")}
            path={`/api/modules/${type}`}
            query={(moduleName) => ({ search_param: { moduleName }, order_by: { colName: "name" } })}
            toChoice={({ id, name }) => ({ id, name })}
            selected={selected}
            onSelect={setChosen}
          />
        </Form>
      </section>
    </>
  )
}
