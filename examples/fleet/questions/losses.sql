SELECT device, count(*) AS recordings, sum(lost_events) AS lost, sum(events) AS events
FROM recordings GROUP BY device ORDER BY device;
