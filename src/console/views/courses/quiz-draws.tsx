import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Select, TextField } from "../../ui/form.tsx"

/** What a quiz draws from a pool, while it is edited. */
export interface DrawDraft {
  key: number
  /** 0: not selected yet. */
  poolId: number
  tag: string
  count: number
  points: number
}

let lastKey = 0
export const newDraw = (draw: Omit<DrawDraft, "key"> = { poolId: 0, tag: "", count: 5, points: 1 }): DrawDraft => ({
  ...draw,
  key: ++lastKey,
})

interface DrawRowProps {
  draw: DrawDraft
  index: number
  onChange: (draw: DrawDraft) => void
  onRemove: () => void
}

function DrawRow({ draw, index, onChange, onRemove }: DrawRowProps) {
  const { poolId, tag, count, points } = draw
  const pool = useRead("/api/question-pool/{id}", { params: { path: { id: poolId } } }, { enabled: poolId > 0 }).data
  const name = (field: string) => `draws.${index}.${field}`
  return (
    <fieldset class="question-draft">
      <legend>{t("courses:draw", { place: number(index + 1) })}</legend>
      <div class="filters">
        <Combobox
          name={name("poolId")}
          label={t("courses:pool")}
          path="/api/question-pool/tabularlist"
          searchBy="name"
          required
          toChoice={({ id, name: poolName }) => ({ id, name: poolName })}
          value={pool && { id: pool.id, name: pool.name }}
          onSelect={(selected) => onChange({ ...draw, poolId: selected?.id ?? 0, tag: "" })}
        />
        <Select
          name={name("tag")}
          label={t("courses:tag")}
          none={t("any")}
          value={tag}
          options={(pool?.tags ?? []).map(({ tag: value, questions }) => ({
            value,
            label: `${value} (${number(questions)})`,
          }))}
          onChange={(value) => onChange({ ...draw, tag: value })}
        />
        <TextField
          name={name("count")}
          label={t("courses:draw.count")}
          {...(pool && { hint: t("courses:draw.count.hint", { of: number(pool.questionCount) }) })}
          type="number"
          min={1}
          max={500}
          value={count}
          onInput={({ currentTarget: { valueAsNumber } }) => onChange({ ...draw, count: valueAsNumber || 0 })}
        />
        <TextField
          name={name("points")}
          label={t("courses:draw.points")}
          type="number"
          min={0}
          max={10_000}
          value={points}
          onInput={({ currentTarget: { valueAsNumber } }) => onChange({ ...draw, points: valueAsNumber || 0 })}
        />
        <button type="button" onClick={onRemove}>
          {t("remove")} <span class="unseen">{t("courses:draw", { place: number(index + 1) })}</span>
        </button>
      </div>
    </fieldset>
  )
}

/** What each attempt draws at random from the question bank. */
export const QuizDraws = ({ draws, onChange }: { draws: DrawDraft[]; onChange: (draws: DrawDraft[]) => void }) => (
  <section aria-labelledby="draws">
    <h2 id="draws">{t("courses:draws")}</h2>
    <p class="quiet">
      {t("courses:draws.hint")} <a href="/console/question-pools">{t("courses:pools.open")}</a>
    </p>
    {draws.map((draw, index) => (
      <DrawRow
        key={draw.key}
        draw={draw}
        index={index}
        onChange={(changed) => onChange(draws.map((one) => (one.key === changed.key ? changed : one)))}
        onRemove={() => onChange(draws.filter(({ key }) => key !== draw.key))}
      />
    ))}
    <div class="actions">
      <button type="button" onClick={() => onChange([...draws, newDraw()])}>
        {t("courses:draw.add")}
      </button>
    </div>
  </section>
)
