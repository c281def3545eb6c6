import { Plus } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { type AudienceDraft, newCondition } from "./audience-draft.ts"
import { ConditionFields } from "./condition-fields.tsx"

interface AudienceFieldsProps {
  audience: AudienceDraft
  onChange: (audience: AudienceDraft) => void
}

const MATCHES = ["everyone", "all", "any"] as const

/** Who a rule assigns: everyone, or the people who match conditions. */
export function AudienceFields({ audience, onChange }: AudienceFieldsProps) {
  const { isEveryone, match, conditions } = audience
  const shown = isEveryone ? conditions.filter(({ isExcluded }) => isExcluded) : conditions
  return (
    <fieldset class="choices">
      <legend>{t("compliance:audience")}</legend>
      {MATCHES.map((option) => (
        <div class="check" key={option}>
          <input
            type="radio"
            id={`audience-${option}`}
            name="audience-match"
            checked={option === (isEveryone ? "everyone" : match)}
            onChange={() =>
              onChange({ ...audience, isEveryone: option === "everyone", match: option === "any" ? "any" : "all" })
            }
          />
          <label for={`audience-${option}`}>{t(`compliance:audience.${option}`)}</label>
        </div>
      ))}
      <ul class="conditions">
        {shown.map((condition) => (
          <ConditionFields
            key={condition.key}
            condition={condition}
            canInclude={!isEveryone}
            onChange={(changed) =>
              onChange({
                ...audience,
                conditions: conditions.map((other) => (other.key === changed.key ? changed : other)),
              })
            }
            onRemove={() => onChange({ ...audience, conditions: conditions.filter((other) => other !== condition) })}
          />
        ))}
      </ul>
      <div>
        <button
          type="button"
          onClick={() =>
            onChange({ ...audience, conditions: [...conditions, { ...newCondition(), isExcluded: isEveryone }] })
          }
        >
          <Plus size={16} aria-hidden /> {t("compliance:condition.add")}
        </button>
      </div>
    </fieldset>
  )
}
