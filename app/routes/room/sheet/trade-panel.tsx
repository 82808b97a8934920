import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { RowGroup } from "../../../ui/rows/row-group.tsx";
import { TradeProgress } from "../../../ui/trade/state/trade-progress.tsx";
import type { PanelProps } from "../../../ui/trade/types.ts";
import { NextStep } from "./next-step.tsx";
import { RefusedFormNotice } from "./refused-form.tsx";
import { findNextStep } from "./step-kinds.ts";
import { TradeRows } from "./trade-rows.tsx";

/**
 * The trade: first the next step with its form, then where it stands, then what it is made of. Rendered by the server only; the room's
 * island fetches it again when the socket reports a change.
 */
export function TradePanel(props: PanelProps & { posted: PostedForm | null }) {
  const { trade, role, serverNow } = props;
  return (
    <>
      <RefusedFormNotice {...props} />
      <NextStep {...props} />
      {trade && (
        <>
          <TradeProgress
            {...{ trade, role, serverNow }}
            besideCompletion={findNextStep({ trade, role }) === "complete"}
          />
          <RowGroup continued>
            <TradeRows {...props} trade={trade} />
          </RowGroup>
        </>
      )}
    </>
  );
}
