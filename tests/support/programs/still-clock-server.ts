// The server on a clock that stands: what it shows is the same each time it is asked. Deadlines' jobs, which the database
// times, never come due meanwhile, for the hour lies far ahead.
import { setClock } from "#db/clock";
import { stillMoment } from "./still-clock.ts";

setClock(() => new Date(stillMoment));
await import("#app/server");
