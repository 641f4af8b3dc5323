// Runs in the page: watches the list of requests frame by frame until `probe.stop`. Page and server share one clock.
(() => {
  const probe = { longestTask: 0, longTasks: 0, mostRows: 0, ages: [], stop: false };
  Object.assign(window, { probe });
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      probe.longTasks += 1;
      probe.longestTask = Math.max(probe.longestTask, duration);
    }
  });
  tasks.observe({ entryTypes: ['longtask'] });
  const look = () => {
    const rows = document.querySelectorAll('.rowsin > .row');
    probe.mostRows = Math.max(probe.mostRows, rows.length);
    let newest = '';
    for (const row of rows) {
      const at = row.querySelector('.age')?.title ?? '';
      if (at > newest) newest = at;
    }
    // While requests stream in, the newest one is never older than it took to show it and to wait for the next.
    if (newest !== '') probe.ages.push(Date.now() - Date.parse(newest));
    if (probe.stop) tasks.disconnect();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
