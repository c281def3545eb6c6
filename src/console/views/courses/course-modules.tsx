import { useEffect, useRef, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Problem } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { Ordered } from "../../ui/sortable-list.tsx"
import { CourseModule } from "./course-module.tsx"
import type { CoursePart } from "./course-tab.ts"
import { choicesOf, MODULE_TYPES } from "./labels.ts"
import { MODULE_SETTINGS } from "./save-module.ts"

type Row = Omit<Schemas["Course"]["modules"][number], "slug">

/**
 * The modules of a course as they are wished: shown at once, sent one change after the other, and put back as the
 * service has them when it refuses one.
 */
function useModules({ record: course, version, reread }: CoursePart) {
  const [rows, setRows] = useState<readonly Row[]>(course.modules)
  const [error, setError] = useState<unknown>()
  const wanted = useRef<readonly Row[]>()
  const sending = useRef(false)
  const known = useRef(version)
  useEffect(() => {
    if (sending.current) return
    setRows(course.modules)
    known.current = version
  }, [course.modules, version])

  /** The course as it is now. */
  const refresh = async () => {
    const { data } = await reread()
    known.current = data?.version ?? known.current
    return data?.record ?? course
  }
  const save = async (next: readonly Row[]) => {
    setRows(next)
    wanted.current = next
    if (sending.current) return
    sending.current = true
    setError(undefined)
    const params = { path: { id: course.id } }
    try {
      while (wanted.current) {
        const modules = wanted.current.map(({ module_id, required, isLocked, dripDays, minTimeSpent }) => ({
          module_id,
          required,
          isLocked,
          dripDays,
          minTimeSpent,
        }))
        wanted.current = undefined
        await api.PUT("/api/course/{id}", { params, body: { modules }, headers: { "If-Match": known.current } })
        await refresh()
      }
    } catch (failure) {
      wanted.current = undefined
      setError(failure)
      setRows((await refresh()).modules)
    } finally {
      sending.current = false
    }
  }
  return { rows, error, save }
}

/** The modules of a course: their order, and what each asks of learners. */
export function CourseModules(part: CoursePart) {
  const { rows, error, save } = useModules(part)
  const [type, setType] = useState<(typeof MODULE_TYPES)[number]>("text")
  const [chosen, setChosen] = useState<readonly Choice[]>([])
  const list = useRef<HTMLElement>(null)
  const change = (changed: Row) => save(rows.map((row) => (row.module_id === changed.module_id ? changed : row)))
  const remove = (gone: Row) => {
    announce(t("courses:modules.removed", { name: gone.name }))
    list.current?.focus()
    return save(rows.filter(({ module_id }) => module_id !== gone.module_id))
  }
  const add = async () => {
    const there = new Set(rows.map(({ module_id }) => module_id))
    const added = chosen
      .filter(({ id }) => !there.has(id))
      .map(({ id, name }) => ({ module_id: id, name, type, ...MODULE_SETTINGS }))
    setChosen([])
    if (added.length > 0) await save([...rows, ...added])
    announce(t("courses:modules.added", { count: added.length, shown: number(added.length) }))
  }
  return (
    <>
      <Problem error={error} />
      <section ref={list} tabIndex={-1} aria-label={t("courses:tab.modules")}>
        {rows.length === 0 && <p class="empty">{t("courses:modules.none")}</p>}
        <Ordered
          label={t("courses:tab.modules")}
          items={rows}
          keyOf={({ module_id }) => module_id}
          nameOf={({ name }) => name}
          onOrder={save}
        >
          {(row) => <CourseModule module={row} onChange={change} onRemove={remove} />}
        </Ordered>
      </section>
      <section class="card" aria-labelledby="add-module">
        <h2 id="add-module">{t("courses:modules.add")}</h2>
        <div class="filters">
          <div class="field">
            <label for="module-type">{t("courses:type")}</label>
            <select
              id="module-type"
              onChange={({ currentTarget: { value } }) => {
                setType(MODULE_TYPES.find((one) => one === value) ?? "text")
                setChosen([])
              }}
            >
              {choicesOf("type", MODULE_TYPES).map(({ value, label }) => (
                <option key={value} value={value} selected={value === type}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <a class="button" href={`/console/modules/${type}/new?course=${part.record.id}`}>
            {t("courses:modules.new")}
          </a>
        </div>
        <Form submit={t("courses:modules.add")} isReady={chosen.length > 0} onSubmit={add}>
          <Picker
            key={type}
            name="modules"
            label={t("courses:modules.to-add")}
            path={`/api/modules/${type}`}
            query={(moduleName) => ({ search_param: { moduleName }, order_by: { colName: "name" } })}
            choiceOf={({ id, name }) => ({ id, name })}
            chosen={chosen}
            onChoose={setChosen}
          />
        </Form>
      </section>
    </>
  )
}
